// What has ended on the market in view, newest first, a few at first and earlier ones on demand.
import { useEffect, useState } from 'preact/hooks'
import type { ApiPage, PageOptions } from '../../../../client/client.ts'
import { sentenceOf } from '../shared/sentences.ts'
import { type Column, Table } from '../shared/table.tsx'

/** How many are asked for at first and more each time, and as many as one answer holds. */
const [PAGE, MOST] = [10, 100]

interface Props<Row> {
  /** Of the card among others. */
  readonly id: string
  readonly title: string
  readonly ticker: string
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** What is said where nothing has ended. */
  readonly none: string
  /** Another one where another account or market is asked about. */
  readonly read: (page: PageOptions) => Promise<ApiPage<Row>>
  /** Once it has changed there may be more to show. */
  readonly version: unknown
}

export function HistoryCard<Row>({ id, title, ticker, columns, keyOf, none, read, version }: Props<Row>) {
  const [shown, setShown] = useState<ApiPage<Row>>({ data: [], totalCount: 0 })
  const [most, setMost] = useState(PAGE)
  const [refusal, setRefusal] = useState<string | null>(null)
  // Once something has changed it is asked again.
  useEffect(() => {
    let isOver = false
    read({ limit: most }).then(
      (page) => {
        if (isOver) return
        setShown(page)
        setRefusal(null)
      },
      (error: unknown) => {
        if (!isOver) setRefusal(sentenceOf(error))
      },
    )
    return () => {
      isOver = true
    }
  }, [read, most, version])
  const { data, totalCount } = shown
  return (
    <section class="card" aria-labelledby={`${id}-title`}>
      <div class="head">
        <h2 id={`${id}-title`}>{title}</h2>
        <span class="hint">
          {totalCount} on {ticker}
        </span>
      </div>
      {refusal !== null && <p class="refusal">{refusal}</p>}
      <Table columns={columns} rows={data} keyOf={keyOf} none={none} />
      {data.length < totalCount && most < MOST && (
        <button type="button" onClick={() => setMost(Math.min(most + PAGE, MOST))}>
          Earlier ones
        </button>
      )}
    </section>
  )
}
