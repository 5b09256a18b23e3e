#!/usr/bin/env bash
# An experiment on a Slurm that runs: `robust-svm run --launcher slurm` on the one-node cluster of scripts/slurm-local.sh, with
# a task killed and another cancelled on the way, against a run on this machine. Needs root, as it installs and starts
# daemons; skipped, with the reason, where it cannot have them.
#
#   scripts/test-slurm.sh [PROGRAM]      PROGRAM [default: target/release/robust-svm, which is built]
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    echo "skipped: $1"
    exit 0
}

[ "$(id -u)" = 0 ] || skip "a cluster can be started by root alone"
work=$(mktemp -d)
export SLURM_LOCAL_DIR=$work/cluster
export SLURM_CONF=$SLURM_LOCAL_DIR/slurm.conf
waiting=
clean_up() {
    if [ -n "$waiting" ] && kill -0 "$waiting" 2>/dev/null; then kill "$waiting"; fi
    scripts/slurm-local.sh stop
    rm -rf "$work"
}
trap clean_up EXIT
code=0
scripts/slurm-local.sh start || code=$?
[ "$code" != 3 ] || skip "Slurm cannot be installed here"
[ "$code" = 0 ] || exit "$code"

program=${1:-}
if [ -z "$program" ]; then
    cargo build --release --quiet
    program=target/release/robust-svm
fi
program=$(realpath "$program")

passed=0 failed=0
# check WHAT COMMAND…: whether the command succeeds.
check() {
    local what=$1
    shift
    if "$@"; then
        echo "ok: $what"
        passed=$((passed + 1))
    else
        echo "FAILED: $what"
        failed=$((failed + 1))
    fi
}
# Waits up to five minutes for a command to succeed.
wait_for() {
    for _ in $(seq 3000); do
        if "$@"; then return; fi
        sleep 0.1
    done
    return 1
}

# 200 groups of some tenths of a second each.
cat >"$work/grid.toml" <<'TOML'
name = "grid"
seed = 1
repeats = 100

[data]
datasets = ["ionosphere", { name = "wine", positive = ["class_2"] }]
split = { train = 0.6, validation = 0.2, test = 0.2 }

[uncertainty]
norm = 2
levels = [0.0, 0.3]

[evaluation]
noise_draws = 5
attack = { steps = 20, restarts = 3 }

[selection]
lambda = [0.01, 0.1, 1.0, 10.0]
sigma = { times_median = [0.5, 1.0, 2.0] }

[[method]]
name = "linear"
features = { map = "identity" }
solver = "interior-point"

[[method]]
name = "robust-rff"
features = { map = "rff", dim = 128 }
bound = "geodesic"
solver = "interior-point"
TOML

has_jobs() { [ -n "$(squeue --noheader)" ]; }
no_jobs() { ! has_jobs; }

launched=$work/launched
shards=$launched/slurm/shards
launch=("$program" run "$work/grid.toml" --out "$launched" --launcher slurm --jobs 4 --poll 1)

echo "== a run on this machine"
"$program" run "$work/grid.toml" --out "$work/local" --threads "$(nproc)" --quiet

echo "== a run on the cluster"
"${launch[@]}" 2>"$work/told" &
waiting=$!
# Whether the shard $1 has stored cells and goes on.
is_under_way() { [ -s "$shards/$1/.lock" ] && compgen -G "$shards/$1/parts/*.part" >/dev/null; }
# The number of the first job in the record.
first_job() { sed -n 's/^job = "\(.*\)"$/\1/p' "$launched/slurm/job.toml" | head -n 1; }

check "task 1 is under way" wait_for is_under_way 1
kill -KILL "$(<"$shards/1/.lock")"
check "task 4 is cancelled, whether it runs or waits" scancel "$(first_job)_4"
check "what was killed is submitted again" wait_for grep -qE 'tasks? 1(,4)? ended unfinished' "$work/told"
check "what was cancelled too" wait_for grep -qE 'tasks? (1,)?4 ended unfinished' "$work/told"
check "another process may not launch it too" bash -c '! "$@" 2>/dev/null' bash "${launch[@]}"
kill -INT "$waiting"
code=0
wait "$waiting" || code=$?
check "an interrupt ends the command alone" test "$code" = 130
check "the jobs go on" has_jobs
sed 's/^/    /' "$work/told"

echo "== the same command again"
code=0
"${launch[@]}" 2>"$work/told" || code=$?
sed 's/^/    /' "$work/told"
check "it ends well" test "$code" = 0
check "it follows the jobs that are there" bash -c '! grep -q submitted "$1"' bash "$work/told"
check "what was killed went on from what it had" test "$(grep -c '^\[\[run\]\]' "$shards/1/manifest.toml")" = 2

same() { [ "$(sha256sum <"$work/local/$1")" = "$(sha256sum <"$launched/$1")" ]; }
check "cells.parquet has the same bytes" same cells.parquet
check "convergence.parquet too" same convergence.parquet
check "tables, figures and summary too" diff -rq -x slurm -x report.html -x timings.parquet -x manifest.toml -x .lock "$work/local" "$launched"

echo "== jobs that nobody waits for"
"${launch[@]}" --fresh --no-wait
check "they come to an end" wait_for no_jobs
check "the last of them joined the results: the same bytes" same cells.parquet
check "a partition that is not there is told" bash -c '
    told=$("$@" --fresh --partition nowhere 2>&1); [ $? = 2 ] && grep -q "invalid partition specified: nowhere" <<<"$told"' bash "${launch[@]}"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
