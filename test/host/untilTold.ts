/** A hub tells at a pace of 8 ms: after it, and as many turns of the loop, all that is durable has been told. */
export async function turns(count = 8): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 9))
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
