// Prints one line for each call: its name, and its result or its error.
export async function show(name: string, call: () => Promise<unknown>): Promise<void> {
  try {
    console.log(`${name}\t${await call()}`);
  } catch (error) {
    const text = error instanceof Error ? `${error}` : JSON.stringify(error);
    console.log(`${name}\t!${text.replace(/\s+/g, " ")}`);
  }
}
