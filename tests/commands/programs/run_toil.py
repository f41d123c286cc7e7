"""Toil's own questions to Slurm (toil.batchSystems.slurm): the rest of Toil, and what it imports, is not needed for them."""
import importlib.abc
import importlib.machinery
import sys
from unittest.mock import MagicMock


def importer():
    """The module that imports something now."""
    frame = sys._getframe(2)
    while frame and frame.f_globals.get("__name__", "").startswith(("importlib", "_frozen")):
        frame = frame.f_back
    return frame.f_globals.get("__name__", "") if frame else ""


class Missing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """What Toil imports and is not installed is there, and holds nothing."""

    def find_spec(self, name, path, target=None):
        if name.startswith("toil") or not importer().startswith("toil"):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        module.__spec__ = spec
        return module

    def exec_module(self, module):
        pass


sys.meta_path.append(Missing())
from toil.batchSystems.slurm import SlurmBatchSystem  # noqa: E402

worker = object.__new__(SlurmBatchSystem.Worker)
worker.runningJobsLock = MagicMock()
worker.batchJobIDs = {job: (job, None) for job in (1, 3, 7)}
worker.runningJobs = {1, 3, 7}
print("running:", sorted(worker.getRunningJobIDs().items()))
print("sacct:", worker._getJobDetailsFromSacct([1, 4, 6, 99]))
print("scontrol:", worker._getJobDetailsFromScontrol([1, 6]))
