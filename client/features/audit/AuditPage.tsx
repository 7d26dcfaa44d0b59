import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { AUDIT_ACTIONS, BY_SERVER } from '../../../contract/audit.ts'
import { DELETED_USER } from '../../../contract/orders.ts'
import { isDay } from '../../../contract/wall-time.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { Button } from '../../ui/core/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchBox } from '../../ui/fields/SearchBox.tsx'
import { SelectField } from '../../ui/fields/SelectField.tsx'
import { TextInput } from '../../ui/fields/TextInput.tsx'
import { useAddress } from '../../ui/fields/use-address.ts'
import { dayOf, formatDateTime } from '../../ui/format.ts'
import { GrowingList } from '../../ui/list/GrowingList.tsx'
import { useList } from '../../ui/list/use-list.ts'
import { ownTimeZone } from '../../ui/own-time-zone.ts'
import { Page } from '../../ui/Page.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { type Actor, actorsQuery, auditQuery, type Entry, type Sought } from './api.ts'
import styles from './audit.module.css'
import { EntrySentence } from './EntrySentence.tsx'
import { actionTexts, auditTexts as texts } from './texts.ts'

/** As the server takes it (`routes.audit`). */
const LONGEST = 254

/** Whose entries the address may ask for. */
const ACTOR = new RegExp(`^(${BY_SERVER}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

const ACTIONS = [
  { value: '', label: texts.anything },
  ...AUDIT_ACTIONS.map((value) => ({ value, label: actionTexts[value].name })).toSorted((one, other) =>
    one.label.localeCompare(other.label),
  ),
]

/** What operators did, newest first; what is looked for stands in the address. */
export function Component() {
  const [address, change, asked] = useAddress()
  const sought = soughtOf(address)
  const list = useList(auditQuery(sought))
  const isFiltered = Object.keys(sought).length > 0
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Filters asked={asked} onChange={change} />
      <GrowingList
        list={list}
        failed={texts.failed}
        waiting={<SkeletonLines lines={8} />}
        empty={
          isFiltered ? (
            <EmptyState
              title={texts.noResults}
              action={
                <Button variant="default" onClick={() => change(() => new URLSearchParams())}>
                  {texts.clear}
                </Button>
              }
            >
              {texts.noResultsHint}
            </EmptyState>
          ) : (
            <EmptyState Icon={IconHistory} title={texts.none}>
              {texts.noneWhy}
            </EmptyState>
          )
        }
      >
        <ul className={styles.list} aria-label={texts.label}>
          {list.items.map((entry) => (
            <Line key={entry._id} entry={entry} />
          ))}
        </ul>
      </GrowingList>
    </Page>
  )
}

/** What the address asks for, without what the server wouldn't take, such as a year that is still being typed. */
function soughtOf(address: URLSearchParams): Sought {
  const of = (name: string) => address.get(name) ?? ''
  const [from, to] = [of('from'), of('to')].map((day) => (isDay(day) ? day : ''))
  const action = AUDIT_ACTIONS.find((known) => known === of('action'))
  return {
    ...(ACTOR.test(of('by')) && { actor: of('by') }),
    ...(action && { action }),
    ...(of('about') && { about: of('about') }),
    ...(from && { from }),
    ...(to && { to }),
    ...((from || to) && { timeZone: ownTimeZone() }),
  }
}

type FiltersProps = {
  /** What was asked for last. */
  asked: URLSearchParams
  onChange: (to: Record<string, string>) => void
}

function Filters({ asked, onChange }: FiltersProps) {
  const actors = useQuery(actorsQuery)
  const today = dayOf(serverNow())
  const of = (name: string) => asked.get(name) ?? ''
  const [from, to] = [of('from'), of('to')]
  return (
    <search className={styles.filters} aria-label={texts.filters}>
      <SearchBox
        label={texts.about}
        placeholder={texts.aboutHint}
        maxLength={LONGEST}
        value={of('about')}
        onChange={(about) => onChange({ about })}
      />
      <SelectField
        label={texts.actor}
        value={of('by')}
        onChange={(by) => onChange({ by })}
        choices={choicesOf(actors.data?.items ?? [], of('by'))}
        error={actors.isError ? texts.actorsFailed : undefined}
      />
      <SelectField
        label={texts.action}
        value={of('action')}
        onChange={(action) => onChange({ action })}
        choices={ACTIONS}
      />
      <TextInput
        type="date"
        label={texts.from}
        value={from}
        max={today}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={texts.to}
        value={to}
        max={today}
        error={isDay(from) && isDay(to) && to < from ? texts.backwards : undefined}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
      />
    </search>
  )
}

function choicesOf(actors: readonly Actor[], chosen: string) {
  const choices = [
    { value: '', label: texts.anyone },
    ...actors.map(({ _id, username }) => ({ value: _id, label: username ?? DELETED_USER })),
    { value: BY_SERVER, label: texts.server },
  ]
  // Whose entries are shown, before it is known who that is.
  const isKnown = choices.some(({ value }) => value === chosen)
  return isKnown ? choices : [...choices, { value: chosen, label: texts.oneOperator }]
}

function Line({ entry }: { entry: Entry }) {
  const { at, reason } = entry
  return (
    <li className={styles.entry}>
      <p>
        <EntrySentence entry={entry} />
      </p>
      {reason && (
        <p className={styles.reason}>
          {texts.reason} {reason}
        </p>
      )}
      <time className={styles.time} dateTime={at}>
        {formatDateTime(at)}
      </time>
    </li>
  )
}
