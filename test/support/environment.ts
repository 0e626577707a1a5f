/** What a user prefers to see is no matter of tests, nor of the programs they start. */
delete process.env.FORCE_COLOR;
delete process.env.NO_COLOR;
