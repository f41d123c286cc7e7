/*
 * generate_site.c - the site of scenario h100-a100-month as the generator sees it; see its slurm.conf and
 * accounting.sacctmgr.
 */
#include "scenarios/generate_job.h"

const struct month_pool month_pools[GENERATE_POOLS] = {
    [GENERATE_H100] = {"h100", 32, 224, 8},
    [GENERATE_A100] = {"a100", 48, 256, 8},
    [GENERATE_CPU] = {"cpu", 64, 256, 0},
};

/* Debugging happens on A100 and CPU nodes, so that a job on all H100 nodes can find them empty. */
const struct month_partition month_partitions[PART_COUNT] = {
    [PART_H100] = {"h100", GENERATE_H100, 2 * 1440, "h100"}, [PART_A100] = {"a100", GENERATE_A100, 2 * 1440, "a100"},
    [PART_LONG] = {"long", GENERATE_A100, 7 * 1440, "a100"}, [PART_CPU] = {"cpu", GENERATE_CPU, 3 * 1440, NULL},
    [PART_DEBUG] = {"debug", GENERATE_A100, 60, "a100"},     [PART_DEBUG_CPU] = {"debug", GENERATE_CPU, 60, NULL},
};

/* In the order of enum month_work: CPU, GPU, wide. The companies and the teaching accounts have small limits. */
const struct month_account month_accounts[] = {
    {"nlp", {0.5, 1.5, 2.5}},        {"vision", {0.6, 1.5, 1.5}},  {"robotics", {0.5, 1.2, 0.6}},
    {"foundation", {0.4, 1.0, 4.0}}, {"climate", {2.0, 0.6, 1.0}}, {"chem", {2.0, 0.8, 0.4}},
    {"physics", {2.2, 0.5, 0.6}},    {"bio", {1.8, 1.2, 0.8}},     {"biotech", {1.0, 0.6, 0.0}},
    {"autonomy", {0.3, 0.8, 0.0}},   {"course", {0.6, 0.5, 0.0}},  {"theses", {0.6, 0.6, 0.0}},
};

const struct month_user month_users[] = {
    {"abara", 1, -1},    {"adler", 4, -1},   {"akin", 7, -1},    {"alvarez", 10, -1}, {"amato", 10, -1},
    {"baker", 7, -1},    {"bauer", 9, -1},   {"bianchi", 5, -1}, {"bose", 1, -1},     {"brandt", 11, -1},
    {"castro", 0, -1},   {"chen", 1, 3},     {"cohen", 0, -1},   {"costa", 7, -1},    {"dahl", 5, -1},
    {"demir", 6, -1},    {"diaz", 0, -1},    {"dubois", 4, -1},  {"eriksen", 2, -1},  {"farouk", 1, -1},
    {"fischer", 11, -1}, {"fontana", 2, -1}, {"garcia", 2, -1},  {"gupta", 9, -1},    {"haas", 1, -1},
    {"hansen", 10, -1},  {"hoang", 7, -1},   {"ito", 7, -1},     {"ivanova", 3, -1},  {"jansen", 1, -1},
    {"joshi", 0, -1},    {"kaya", 3, -1},    {"keller", 8, -1},  {"kim", 5, -1},      {"kovacs", 9, -1},
    {"kumar", 6, 3},     {"laine", 5, -1},   {"lopez", 8, -1},   {"malik", 4, -1},    {"mbeki", 2, -1},
    {"meyer", 0, -1},    {"moreau", 10, -1}, {"nagy", 3, -1},    {"nakamura", 6, -1}, {"novak", 6, -1},
    {"okafor", 0, -1},   {"olsen", 3, -1},   {"park", 2, -1},    {"patel", 6, -1},    {"petrov", 4, -1},
    {"quinn", 0, -1},    {"rossi", 1, 7},    {"sato", 10, -1},   {"schmidt", 0, -1},  {"silva", 7, -1},
    {"singh", 8, -1},    {"tanaka", 4, 1},   {"vargas", 5, -1},  {"weber", 3, -1},    {"zhao", 1, -1},
};
const guint month_user_count = G_N_ELEMENTS(month_users);
