/*
 * nodemodel.h - hardware node models: what a machine is beyond slurm.conf (spec hardware.md section 0).
 *
 * One JSON file (schema "node-model/1") is one kind of node. The loader checks the rules that the files promise: core
 * ranges are contiguous and cover 0..total_cores-1 in NUMA order; sockets x cores and CPUs agree; the link matrix is
 * square and symmetric; every Cores= of the gres.conf lines is exactly one Slurm socket. Units: memory in MiB, rates as
 * named.
 */
#ifndef MODELS_NODEMODEL_H
#define MODELS_NODEMODEL_H
#include "sched/base/bitset.h"
#include "sched/base/diag.h"
#include <glib.h>
#include <stdint.h>

#define NODEMODEL_FILE_MAX (4u << 20)
#define NODEMODEL_CORES_MAX 65533u
#define NODEMODEL_DEVICES_MAX 1024u /* GPUs, NICs, NUMA nodes */

struct model_numa {
	uint32_t id, socket;             /* of the firmware; physical socket */
	uint32_t core_first, core_count; /* abstract core ids */
	uint64_t memory_mib;
};

struct model_gpu {
	uint32_t id, numa;      /* index as nvidia-smi has it; NUMA id */
	char *type, *gres_type; /* owned: name that AutoDetect finds, short name of the gres lines */
	uint64_t memory_mib;
	int pcie_switch;      /* -1 none */
	struct bitset *cores; /* owned; [total_cores] */
	char *os_cpus;        /* owned; CPU ids of the operating system, as nvidia-smi has them */
	double tdp_w;
	char *mig_table;      /* owned; its table in data/mig_profiles.json ("H100-80GB"); NULL = no MIG */
};

struct model_nic {
	char *name, *role;           /* owned; role compute, storage, mgmt */
	double gbps;                 /* Gbit/s per direction */
	int numa, pcie_switch, rail; /* -1 none */
	char **gpu_link_class;       /* owned strv, one per GPU: "PIX", "SYS"... */
};

struct node_model {
	char *name, *vendor, *description; /* owned */
	/* as slurm.conf has it */
	uint32_t cpus, boards, sockets_per_board, cores_per_socket, threads_per_core, core_spec_count;
	uint64_t real_memory_mib;
	char *gres;              /* owned; "gpu:a100:8"; NULL = none */
	char *slurmd_parameters; /* owned; "numa_node_as_socket"; NULL */
	char *node_line;         /* owned; a ready NodeName= line */
	char **gres_conf;        /* owned strv of ready gres.conf lines; never NULL */
	/* the machine */
	uint32_t total_cores;
	struct model_numa *numa; /* owned [n_numa], NUMA nodes that own cores */
	uint32_t n_numa;
	double *numa_distance; /* owned [n_numa * n_numa]; NULL = not given */
	struct model_gpu *gpu; /* owned [n_gpus] */
	uint32_t n_gpus;
	char **link, **pcie_link; /* owned [n_gpus * n_gpus]: "X", "NV12", "PIX"...; NULL without GPUs */
	struct model_nic *nic;    /* owned [n_nics] */
	uint32_t n_nics;
	GHashTable *perf; /* owned: name -> double *: flat performance numbers, GB/s unless the name says otherwise */
};

/* Load the model at PATH. NULL when it cannot be read or breaks a rule: every finding goes to D, with the file's name
 * and the JSON path that is wrong. The caller frees. */
struct node_model *node_model_load(const char *path, struct diag *d);
/* The same from JSON text; NAME stands in messages. */
struct node_model *node_model_parse(const char *text, const char *name, struct diag *d);
void node_model_free(struct node_model *m); /* NULL is allowed */
/* Where the ready models are: beside the program (build/whypend, PREFIX/bin/whypend). NULL: not there. g_free. */
char *node_model_folder(void);
/* Links of GPUs A and B over NVLink: the number of "NV#", 0 for other classes or A == B. */
uint32_t node_model_nvlinks(const struct node_model *m, uint32_t a, uint32_t b);
#endif
