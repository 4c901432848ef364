"""The imports of the server, the protocol and the client. import-linter checks the floors."""

from graphlib import TopologicalSorter

import grimp
import pytest


@pytest.mark.interpreted  # it reads the sources
def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions and imports of types count too; the sorter raises CycleError."""
    graph = grimp.build_graph("server", "protocol", "spider_race_client", cache_dir=None)
    assert graph.direct_import_exists(
        importer="server.operators.backup", imported="server.store.data_dir"
    ), "an import inside a function"
    imported = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert list(TopologicalSorter(imported).static_order())
