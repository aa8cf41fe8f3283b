"""Three ways to hold the contract: the description itself, the simulator against it, the client against it."""
