#!/usr/bin/env bash
# A Slurm cluster of one node on loopback, for tests and for trying things out: as root, without systemd and without touching
# a Slurm that the machine has. Everything is in one folder, which `stop` removes.
#
#   scripts/slurm-local.sh start     installs Debian's slurm-wlm and munge where they are missing, and starts the daemons
#   scripts/slurm-local.sh status    says whether it runs
#   scripts/slurm-local.sh stop      ends jobs and daemons
#
# Commands find it by its configuration:  export SLURM_CONF=/run/robust-svm-slurm/slurm.conf
set -euo pipefail

folder=${SLURM_LOCAL_DIR:-/run/robust-svm-slurm}
export SLURM_CONF=$folder/slurm.conf
# The daemons in the order they are started; stopped in the other.
daemons=(munged slurmctld slurmd)

fail() {
    echo "slurm-local: $1" >&2
    exit "${2:-1}"
}

# The number of the running daemon $1; nothing where it does not run.
running() {
    local file=$folder/$1.pid pid
    [ -s "$file" ] || return 0
    pid=$(<"$file")
    # A number that another process has by now is not the daemon's.
    if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$1" ]; then echo "$pid"; fi
}

# Waits up to $1 seconds for the command that follows.
wait_for() {
    local seconds=$1
    shift
    for _ in $(seq $((seconds * 10))); do
        if "$@"; then return; fi
        sleep 0.1
    done
    return 1
}

# Without a controller the commands of Slurm wait for one.
is_up() { [ -n "$(running slurmctld)" ] && sinfo -h -o %T 2>/dev/null | grep -qE '^(idle|mixed|allocated)$'; }
has_ended() { [ -z "$(running "$1")" ]; }

install_packages() {
    if command -v slurmctld slurmd sbatch munged >/dev/null; then return; fi
    command -v apt-get >/dev/null || fail "slurm-wlm and munge are not installed, and there is no apt-get to install them" 3
    echo "slurm-local: installing slurm-wlm and munge" >&2
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge; } \
        >/dev/null || fail "slurm-wlm and munge cannot be installed" 3
}

configure() {
    local host cpus memory
    host=$(hostname -s)
    cpus=$(nproc)
    # What the node offers to jobs, in MB: what is free of the machine's, as nothing enforces it.
    memory=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
    mkdir -p "$folder"/{state,spool,log}
    if [ ! -s "$folder/munge.key" ]; then
        (umask 077 && head -c 128 /dev/urandom >"$folder/munge.key")
    fi
    cat >"$folder/cgroup.conf" <<CGROUP
CgroupPlugin=cgroup/v1
CgroupAutomount=no
ConstrainCores=no
CGROUP
    cat >"$SLURM_CONF" <<CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
DefMemPerCPU=$((memory / cpus))
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=$memory State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

start_daemons() {
    if [ -z "$(running munged)" ]; then
        munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
            --log-file="$folder/log/munged.log" --seed-file="$folder/munge.seed" 2>"$folder/log/munged.start" ||
            fail "munged does not start: $(cat "$folder/log/munged.start")"
    fi
    if [ -z "$(running slurmctld)" ]; then slurmctld || fail "slurmctld does not start: see $folder/log/slurmctld.log"; fi
    if [ -z "$(running slurmd)" ]; then slurmd || fail "slurmd does not start: see $folder/log/slurmd.log"; fi
    wait_for 30 is_up || fail "the node does not come up: see $folder/log"
}

start() {
    [ "$(id -u)" = 0 ] || fail "needs root: it starts daemons" 3
    install_packages
    if ! is_up; then
        configure
        start_daemons
    fi
    status
}

status() {
    local daemon pid up=0
    for daemon in "${daemons[@]}"; do
        pid=$(running "$daemon")
        if [ -n "$pid" ]; then
            echo "$daemon: process $pid"
            up=$((up + 1))
        else
            echo "$daemon: does not run"
        fi
    done
    [ "$up" = "${#daemons[@]}" ] || return 1
    sinfo -h -o 'node %N: %T, %c processors, %m MB'
    echo "export SLURM_CONF=$SLURM_CONF"
}

stop() {
    local daemon pid index
    [ -d "$folder" ] || return 0
    if is_up; then
        scancel --user="$(id -un)" --quiet || true
        # Jobs end before the daemon that would tell them to.
        wait_for 20 no_jobs || echo "slurm-local: jobs are still running" >&2
    fi
    for ((index = ${#daemons[@]} - 1; index >= 0; index--)); do
        daemon=${daemons[index]}
        pid=$(running "$daemon")
        [ -n "$pid" ] || continue
        kill "$pid"
        wait_for 20 has_ended "$daemon" || fail "$daemon (process $pid) does not end"
    done
    rm -rf "$folder"
}

no_jobs() { [ -z "$(squeue -h)" ]; }

case ${1:-} in
start | stop | status) "$1" ;;
*) fail "usage: $0 start|stop|status" 2 ;;
esac
