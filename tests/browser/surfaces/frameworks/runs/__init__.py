"""An agent of each framework, run with that framework's own fake model. A module each.

They take seconds to import, and every worker of a test run reads every test file: tests import them
where they run, by the ``run`` fixture.
"""
