import { useSearchParams } from 'react-router'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Page } from '../../../ui/Page.tsx'
import { BoardView } from './BoardView.tsx'
import { boardTexts as texts } from './texts.ts'

const RecordTable = lazyPart(() => import('./RecordTable.tsx').then((module) => module.RecordTable))

const VIEWS = ['board', 'table'] as const

/** The creator’s verifications as a board by status or as a table; which, and what is searched for, stands in the address. */
export function Component() {
  const [address, setAddress] = useSearchParams()
  const view = VIEWS.find((one) => one === address.get('view')) ?? 'board'
  const views = (
    <FilterButtons
      label={texts.views}
      choices={VIEWS.map((value) => ({ value, label: texts.view[value] }))}
      value={view}
      onChange={(value) => setAddress(value === 'board' ? {} : { view: value }, { replace: true })}
    />
  )
  return (
    <Page title={texts.title} lead={texts.lead}>
      {view === 'board' ? <BoardView views={views} /> : <RecordTable views={views} />}
    </Page>
  )
}
