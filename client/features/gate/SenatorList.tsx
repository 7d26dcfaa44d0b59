import { useState } from 'react'
import { TextField } from '../../ui/Field.tsx'
import styles from './SenatorList.module.css'
import { CAPITOL_SWITCHBOARD, SENATE, type SenateState } from './senate.ts'
import { matchingStates } from './senate-list.ts'

/** The 50 states, each with a telephone link to its two senators; the visitor's own state stands first. */
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
        <TextField label="Find a state" type="search" autoComplete="off" value={typed} onChange={setTyped} />
      </div>
      <ul className={styles.states}>
        {found.map((state) => (
          <li key={state.code} className={styles.state}>
            <State state={state} />
          </li>
        ))}
      </ul>
      <output className={styles.none}>{found.length === 0 && `No state is called “${typed.trim()}”.`}</output>
      <p className={styles.source}>
        Every state has two senators. The Capitol’s switchboard connects you: ask for the senators of your
        state. <a href={telephone(CAPITOL_SWITCHBOARD)}>{display(CAPITOL_SWITCHBOARD)}</a>.
      </p>
    </div>
  )
}

function State({ state: { name } }: { state: SenateState }) {
  return (
    <>
      <h3 className={styles.name}>{name}</h3>
      <p className={styles.senator}>
        <span>Both senators</span>
        <a
          className={styles.phone}
          href={telephone(CAPITOL_SWITCHBOARD)}
          aria-label={`Call the senators of ${name}, ${display(CAPITOL_SWITCHBOARD)}`}
        >
          {display(CAPITOL_SWITCHBOARD)}
        </a>
      </p>
    </>
  )
}

const telephone = (phone: string) => `tel:+1${phone.replaceAll('-', '')}`
const display = (phone: string) => phone.replace(/^(\d{3})-/, '($1) ')
