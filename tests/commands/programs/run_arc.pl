# What the information system of NorduGrid ARC (nordugrid-arc-arex) finds out about a cluster: its own modules ask the commands.
use strict;
use warnings;
use lib $ENV{ARC_SHARE};
use LRMSInfo;
use Data::Dumper;

my $info = LRMSInfo::collect({slurm_bin_path => $ENV{LINKS}, jobs => ['1', '3', '7'], lrms => 'SLURM', loglevel => '0',
	queues => {gpu => {users => ['ann']}, debug => {users => ['bob']}}});
$Data::Dumper::Sortkeys = $Data::Dumper::Indent = 1;
print Dumper($info);
