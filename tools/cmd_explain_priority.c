#include "tools/commands.h"
int cmd_explain_priority(int argc, char **argv) { (void)argc; (void)argv; return 2; }
