import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { leaveRow } from './focus.ts'

afterEach(cleanup)

/** A list whose rows go by their second button; one row has none. */
function Removable() {
  const [names, setNames] = useState(['CozyKnits', 'Gardens', 'PaperBoats'])
  return (
    <section>
      <h2>Selected</h2>
      <ul>
        <li>Nothing to press</li>
        {names.map((name) => (
          <li key={name}>
            <button type="button">{name}</button>
            <button
              type="button"
              onClick={(event) => {
                leaveRow(event.currentTarget)
                setNames((before) => before.filter((one) => one !== name))
              }}
            >
              Remove {name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

test('the focus goes to the row after, then to the one before, and to the heading when none is left', () => {
  render(<Removable />)
  const remove = (name: string) => screen.getByRole('button', { name: `Remove ${name}` })
  fireEvent.click(remove('Gardens'))
  expect(document.activeElement).toBe(remove('PaperBoats'))
  fireEvent.click(remove('PaperBoats'))
  expect(document.activeElement).toBe(remove('CozyKnits'))
  fireEvent.click(remove('CozyKnits'))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Selected' }))
})
