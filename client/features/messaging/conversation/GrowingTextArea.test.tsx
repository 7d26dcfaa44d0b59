import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, expect, test } from 'vitest'
import { GrowingTextArea, sendsByEnter } from './GrowingTextArea.tsx'

afterEach(cleanup)

test('Enter sends, but not where it ends the composition of a character, which Safari says by a key code alone', () => {
  const sent: boolean[] = []
  render(
    <GrowingTextArea
      fieldRef={createRef()}
      label="Message"
      value=""
      onChange={() => {}}
      onKeyDown={(event) => sent.push(sendsByEnter(event))}
    />,
  )
  const field = screen.getByRole('textbox')
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229, isComposing: true })
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13, shiftKey: true })
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
  expect(sent).toEqual([false, false, false, true])
})
