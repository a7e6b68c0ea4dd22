// What the folder holds: sorted, filtered, opened, and two runs side by side.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { announce } from '../../host/console/page/shared/announcements.tsx'
import type { Contents } from '../contents.ts'
import type { RunForm } from '../runForm.ts'
import { JobList } from './jobList.tsx'
import { isUnderWay } from './jobWords.ts'
import { PageLink } from './pageLink.tsx'
import { filtered, KIND_NAMES, type Order, sorted } from './resultRows.ts'
import { ResultsTable } from './resultsTable.tsx'
import type { Workbench } from './useWorkbench.ts'
import type { WorkbenchClient } from './workbenchClient.ts'

interface Props extends Workbench {
  readonly contents: Contents
  readonly onGoOn: (form: RunForm) => void
}

export function ResultsView({ contents, jobs, client, look, onGoOn }: Props) {
  const [text, setText] = useState('')
  const [kind, setKind] = useState('')
  const [order, setOrder] = useState<Order>({ by: 'at', isRising: false })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { results } = contents
  const kinds = [...new Set(results.map((row) => row.kind))]
  const rows = useMemo(() => sorted(filtered(results, text, kind), order), [results, text, kind, order])
  const compared = chosen.filter((place) => results.some((row) => row.place === place))
  const underWay = jobs.filter(isUnderWay)

  const comparison = useComparison(compared, client)

  return (
    <>
      {underWay.length > 0 && (
        <section class="card" aria-labelledby="under-way">
          <div class="head">
            <h2 id="under-way">Under way</h2>
          </div>
          <JobList jobs={underWay} contents={contents} client={client} />
        </section>
      )}
      <section class="card" aria-labelledby="results-title">
        <div class="head">
          <h2 id="results-title">Results</h2>
          <div class="tools">
            <label class="filter">
              Filter
              <input
                type="search"
                value={text}
                title="Words of the strategy, the market, the folder or the command"
                onInput={(event) => setText(event.currentTarget.value)}
              />
            </label>
            <select
              aria-label="Kind of result"
              value={kind}
              onChange={(event) => setKind(event.currentTarget.value)}
            >
              <option value="">All kinds</option>
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {KIND_NAMES[one]}
                </option>
              ))}
            </select>
            <button type="button" onClick={look}>
              Read again
            </button>
            {comparison === null ? (
              <button type="button" disabled>
                Compare two runs
              </button>
            ) : (
              <PageLink class="button primary" url={comparison}>
                Compare {compared.length} runs
              </PageLink>
            )}
          </div>
        </div>
        {results.length === 0 ? (
          <Beginning />
        ) : (
          <ResultsTable
            rows={rows}
            order={order}
            onOrder={setOrder}
            chosen={compared}
            onGoOn={onGoOn}
            onChoose={(place, isChosen) =>
              setChosen((before) => [...before.filter((one) => one !== place), ...(isChosen ? [place] : [])])
            }
          />
        )}
        {contents.isCut && (
          <p class="hint">The folder holds more folders than are looked at: what is deepest is left out.</p>
        )}
      </section>
    </>
  )
}

/** The address of the page that puts the chosen runs side by side; null where there are not two, or they cannot be compared. */
function useComparison(places: readonly string[], client: WorkbenchClient): string | null {
  const [made, setMade] = useState<{ readonly of: string; readonly url: string } | null>(null)
  const of = places.join('\n')
  useEffect(() => {
    if (!of.includes('\n')) return
    let isWanted = true
    client.comparison(of.split('\n')).then(
      ({ url }) => isWanted && setMade({ of, url }),
      (error: Error) => isWanted && announce(error.message, 'bad'),
    )
    return () => {
      isWanted = false
    }
  }, [of, client])
  return made?.of === of ? made.url : null
}

function Beginning() {
  return (
    <p class="nothing prose">
      Nothing is saved here yet. Start with <a href="#start">a new run</a>, or save one from a terminal with
      <code> --out runs/first</code>.
    </p>
  )
}
