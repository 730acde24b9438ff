#!/bin/bash
# A learning run on Slurm:
#   sbatch slurm.sh --variant amazons --generations 5 --games 200000 --nodes 800 --out /shared/run
# That is some 17 hours of one core. Each node runs one Ray node with all its cores. The first one is the head, and the
# driver runs there. When the time is over the job goes back into the queue, and the run goes on where it was.
#SBATCH --job-name=hippolyta
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
#SBATCH --mem-per-cpu=1G
#SBATCH --time=24:00:00
#SBATCH --requeue
#SBATCH --no-kill
#SBATCH --signal=B:TERM@60
#SBATCH --open-mode=append

set -eu

head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)

trap 'scontrol requeue "$SLURM_JOB_ID"' TERM

# A lost node costs only the tasks that it was doing: the others go on.
srun --no-kill --kill-on-bad-exit=0 \
    ray symmetric-run --address "$head:6379" --min-nodes "$SLURM_NNODES" --num-cpus "$SLURM_CPUS_PER_TASK" -- \
    python -m hippolyta.cluster learn "$@" &
wait $!
