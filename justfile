# The recipes are thin: each is one or two cargo commands.

# List the recipes
default:
    @{{just_executable()}} --list

# Run an experiment of experiments/ (or continue it)
run-experiment NAME="noise-grid" *ARGS:
    cargo run --release -- run experiments/{{NAME}}.toml {{ARGS}}

# Make the figures of a paper, with the tables and plots of their experiments, computing what is missing
figures *ARGS:
    cargo run --release -- figures {{ARGS}}

# Run the tests
test:
    cargo test --workspace

# Run an experiment on a Slurm cluster of one node, made for it (Debian, root)
test-slurm *ARGS:
    bash scripts/test-slurm.sh {{ARGS}}

# Format
fmt:
    cargo fmt --all

# Check format and lints
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

# Run what continuous integration runs
ci:
    bash .ci/run

# Run the benchmarks
bench:
    cargo bench --workspace

# Solvers of other packages on the same problems, side by side: some 15 minutes (installs them from PyPI into target/peers)
bench-peers *ARGS:
    python3 -m venv target/peers
    target/peers/bin/pip install --quiet -r scripts/peers/requirements.txt
    target/peers/bin/pip install --quiet --no-deps dro==0.4.3
    target/peers/bin/python scripts/bench_peers.py {{ARGS}}

# Feature maps beside scikit-learn's: a minute or two (installs it from PyPI into target/peers)
bench-features *ARGS:
    python3 -m venv target/peers
    target/peers/bin/pip install --quiet -r scripts/peers/requirements.txt
    target/peers/bin/python scripts/bench_features.py {{ARGS}}
