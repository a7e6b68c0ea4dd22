/** What a platform command would do to a venue of several shards: what each of them says of it, as one answer. */

/** What one shard says, as it is written. */
export interface ShardPreview {
  readonly shard: number
  readonly told: Preview
}

interface Preview {
  readonly seq: number
  readonly at: string
  readonly result: 'accepted' | 'refused' | 'repeated' | 'unknown'
  readonly error: string | null
  readonly message: string | null
  readonly events: readonly unknown[]
  readonly postings: readonly unknown[]
  readonly accounts: readonly unknown[]
  readonly house: { readonly was: string; readonly would: string } | null
}

/** The first that would refuse it has the say, then the first that cannot tell; where some had it before, the others. */
export function clusterPreview(previews: readonly ShardPreview[]): object {
  const shards = previews.map(({ shard, told: { seq } }) => ({ shard, seq }))
  const told = previews.map((preview) => preview.told)
  const first = (result: Preview['result']) => told.find((preview) => preview.result === result)
  const one = first('refused') ?? first('unknown') ?? (first('accepted') === undefined ? told[0] : undefined)
  if (one !== undefined) return { ...one, shards }
  const accepted = told.filter(({ result }) => result === 'accepted')
  return {
    ...(accepted[0] as Preview),
    at: accepted
      .map(({ at }) => at)
      .sort()
      .at(-1),
    events: accepted.flatMap(({ events }) => events),
    postings: accepted.flatMap(({ postings }) => postings),
    accounts: accepted.flatMap(({ accounts }) => accounts),
    house: {
      was: summed(accepted.map(({ house }) => house?.was)),
      would: summed(accepted.map(({ house }) => house?.would)),
    },
    shards,
  }
}

/** Each shard has a house of its own, a part of the venue's. */
function summed(amounts: readonly (string | undefined)[]): string {
  return String(amounts.reduce((sum, amount) => sum + BigInt(amount ?? 0), 0n))
}
