// The page: what the folder holds, and a form for what to run next.
import { useEffect, useState } from 'preact/hooks'
import { Announcements } from '../../host/console/page/shared/announcements.tsx'
import { Bar } from '../../host/console/page/shared/bar.tsx'
import type { RunForm } from '../runForm.ts'
import { isUnderWay } from './jobWords.ts'
import { LiveView } from './liveView.tsx'
import { ResultsView } from './resultsView.tsx'
import { StartView } from './startView.tsx'
import { useForm } from './useForm.ts'
import { useWorkbench } from './useWorkbench.ts'
import { takeToken } from './workbenchClient.ts'

const VIEWS = [
  ['results', 'Results'],
  ['start', 'New run'],
  ['live', 'Live'],
] as const

export function App() {
  const [token] = useState(takeToken)
  const workbench = useWorkbench(token)
  const view = usePlace()
  const state = useForm()
  const goOn = (form: RunForm) => {
    state.change(form)
    state.refuse([])
    location.hash = 'start'
  }
  const { contents, fault, jobs, isThere } = workbench
  const underWay = jobs.filter(isUnderWay).length
  return (
    <>
      <Bar
        tools={
          <>
            <nav aria-label="Views">
              {VIEWS.map(([name, title]) => (
                <a key={name} href={`#${name}`} aria-current={name === view ? 'page' : undefined}>
                  {title}
                </a>
              ))}
            </nav>
            <span class={isThere ? 'connection live' : 'connection lost'}>
              {isThere ? (underWay === 0 ? 'idle' : `${underWay} under way`) : 'not connected'}
            </span>
          </>
        }
      />
      <main class="workbench">
        <section class="title">
          <p class="kicker">{contents?.home ?? 'Workbench'}</p>
          <h1>{contents?.name ?? 'Reading the folder…'}</h1>
        </section>
        {fault !== null && (
          <p class="card refusal" role="alert">
            {fault}
          </p>
        )}
        {contents !== null && (
          <>
            <div hidden={view !== 'results'}>
              <ResultsView {...workbench} contents={contents} onGoOn={goOn} />
            </div>
            <div hidden={view !== 'start'}>
              <StartView {...workbench} contents={contents} state={state} />
            </div>
            <div hidden={view !== 'live'}>
              <LiveView {...workbench} contents={contents} onGoOn={goOn} />
            </div>
          </>
        )}
      </main>
      <footer>
        <p>
          margin-core {contents?.version}. Past prices, simulated and real, say nothing certain about future
          ones. <a href="/licences.txt">Licences</a>
        </p>
      </footer>
      <Announcements />
    </>
  )
}

function usePlace(): string {
  const [place, setPlace] = useState(location.hash.slice(1))
  useEffect(() => {
    const follow = () => {
      setPlace(location.hash.slice(1))
      scrollTo(0, 0)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return VIEWS.find(([name]) => name === place)?.[0] ?? 'results'
}
