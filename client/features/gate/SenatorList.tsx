import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Fetched } from '../../ui/Fetched.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import styles from './SenatorList.module.css'
import { displayTelephone, SENATE, type SenateState, senatorsQuery, telephoneLink } from './senate.ts'
import { matchingStates, sharedTelephone } from './senate-list.ts'
import { senatorsTexts } from './texts.ts'

type Senator = { name: string; telephone: string }

/** The 50 states, each with its two senators and a telephone link; the visitor's own state stands first. */
export function SenatorList({ own }: { own: SenateState | undefined }) {
  const senators = useQuery(senatorsQuery)
  return (
    <Fetched query={senators} waiting={<SkeletonLines lines={8} />} failed={senatorsTexts.loadFailed}>
      {({ items }) => <States items={items} own={own} />}
    </Fetched>
  )
}

type StatesProps = {
  items: readonly { code: string; senators: Senator[]; correctOn: string }[]
  own: SenateState | undefined
}

function States({ items, own }: StatesProps) {
  const [typed, setTyped] = useState('')
  const senatorsOf = (state: SenateState) => items.find(({ code }) => code === state.code)?.senators ?? []
  const oldest = items.map(({ correctOn }) => correctOn).toSorted()[0]
  const found = matchingStates(SENATE, typed)
  const shared = sharedTelephone(items)
  return (
    <div className={styles.list}>
      {shared && (
        <p className={styles.shared}>
          {senatorsTexts.shared}{' '}
          <a className={styles.phone} href={telephoneLink(shared)}>
            {senatorsTexts.call(displayTelephone(shared))}
          </a>
        </p>
      )}
      {own && (
        <div className={styles.own}>
          <p className={styles.ownLabel}>{senatorsTexts.own}</p>
          <State state={own} senators={senatorsOf(own)} named={shared !== null} />
        </div>
      )}
      <div className={styles.search}>
        <TextField
          label={senatorsTexts.find}
          type="search"
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
      </div>
      <ul className={styles.states}>
        {found.map((state) => (
          <li key={state.code} className={styles.state}>
            <State state={state} senators={senatorsOf(state)} named={shared !== null} />
          </li>
        ))}
      </ul>
      <output className={styles.none}>{found.length === 0 && senatorsTexts.none(typed.trim())}</output>
      {oldest && (
        <p className={styles.source}>
          {senatorsTexts.checked(formatDate(oldest))}
          {!shared && (
            <>
              {' '}
              {senatorsTexts.theSwitchboard}{' '}
              <a href={telephoneLink(SWITCHBOARD)}>{displayTelephone(SWITCHBOARD)}</a>,{' '}
              {senatorsTexts.switchboard}
            </>
          )}
        </p>
      )}
    </div>
  )
}

const SWITCHBOARD = '202-224-3121'

type StateProps = {
  state: SenateState
  senators: Senator[]
  /** The name calls, as the one number of all of them stands above. */
  named: boolean
}

function State({ state, senators, named }: StateProps) {
  return (
    <>
      <h3 className={styles.name}>{state.name}</h3>
      <div className={styles.pair} data-named={named || undefined}>
        {senators.map(({ name, telephone }) => (
          <p key={name} className={styles.senator}>
            {!named && <span>{name}</span>}
            <a
              className={styles.phone}
              href={telephoneLink(telephone)}
              aria-label={senatorsTexts.callLabel(name, state.name, displayTelephone(telephone))}
            >
              {named ? name : displayTelephone(telephone)}
            </a>
          </p>
        ))}
      </div>
    </>
  )
}
