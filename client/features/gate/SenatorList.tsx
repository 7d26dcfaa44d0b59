import { useState } from 'react'
import { TextField } from '../../ui/Field.tsx'
import styles from './SenatorList.module.css'
import { matchingStates } from './senate-list.ts'
import { CAPITOL_SWITCHBOARD, SENATE, SENATORS_AS_OF, type SenateState } from './senators.ts'

/** Two senators for each of the 50 states, each with a telephone link; the visitor's own state stands first. */
export function SenatorList({ own }: { own: SenateState | undefined }) {
  const [typed, setTyped] = useState('')
  const found = matchingStates(SENATE, typed)
  return (
    <div className={styles.list}>
      {own && (
        <div className={styles.own}>
          <p className={styles.ownLabel}>Your state</p>
          <State state={own} />
        </div>
      )}
      <div className={styles.search}>
        <TextField
          label="Find a state or a senator"
          type="search"
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
      </div>
      <ul className={styles.states}>
        {found.map((state) => (
          <li key={state.code} className={styles.state}>
            <State state={state} />
          </li>
        ))}
      </ul>
      <output className={styles.none}>
        {found.length === 0 && `No state or senator is called “${typed.trim()}”.`}
      </output>
      <p className={styles.source}>
        As of <time dateTime={SENATORS_AS_OF}>{formatDay(SENATORS_AS_OF)}</time>, from the public{' '}
        <a href="https://github.com/unitedstates/congress-legislators" rel="noreferrer">
          congress-legislators
        </a>{' '}
        records. Has a seat changed hands? The Capitol’s switchboard connects you to every senator:{' '}
        <a href={telephone(CAPITOL_SWITCHBOARD)}>{display(CAPITOL_SWITCHBOARD)}</a>.
      </p>
    </div>
  )
}

function State({ state: { name, senators } }: { state: SenateState }) {
  return (
    <>
      <h3 className={styles.name}>{name}</h3>
      {senators.map((senator) => (
        <p key={senator.name} className={styles.senator}>
          <span>{senator.name}</span>
          <a
            className={styles.phone}
            href={telephone(senator.phone)}
            aria-label={`Call ${senator.name}, ${display(senator.phone)}`}
          >
            {display(senator.phone)}
          </a>
        </p>
      ))}
    </>
  )
}

const telephone = (phone: string) => `tel:+1${phone.replaceAll('-', '')}`
const display = (phone: string) => phone.replace(/^(\d{3})-/, '($1) ')

function formatDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}
