"""What switchers would miss, tried with each tool that has it: ``python -m judges.switching``."""
