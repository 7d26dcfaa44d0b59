import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Menu } from './Menu.tsx'
import { MenuItem } from './MenuList.tsx'

const done = vi.fn()

afterEach(() => {
  cleanup()
  done.mockClear()
})

function Deeds() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Menu
        opened={opened}
        onChange={setOpened}
        button={(given) => (
          <button {...given} type="button">
            More
          </button>
        )}
      >
        <MenuItem onClick={() => done('copy')}>Copy</MenuItem>
        <MenuItem disabled onClick={() => done('edit')}>
          Edit
        </MenuItem>
        <MenuItem destructive onClick={() => done('delete')}>
          Delete
        </MenuItem>
      </Menu>
      <p>Elsewhere</p>
    </>
  )
}

const button = () => screen.getByRole('button', { name: 'More' })
const focused = () => document.activeElement?.textContent

test('the arrow keys go round what can be done, Enter does it, and the focus is back on the button', async () => {
  const person = userEvent.setup()
  render(<Deeds />)
  await person.click(button())
  expect(button().getAttribute('aria-expanded')).toBe('true')
  expect(focused()).toBe('Copy')
  await person.keyboard('{ArrowDown}')
  expect(focused()).toBe('Delete')
  await person.keyboard('{ArrowDown}')
  expect(focused()).toBe('Copy')
  await person.keyboard('{ArrowUp}')
  expect(focused()).toBe('Delete')
  await person.keyboard('{Home}')
  expect(focused()).toBe('Copy')
  await person.keyboard('{End}{Enter}')
  expect(done.mock.calls).toEqual([['delete']])
  expect(screen.queryByRole('menu')).toBeNull()
  expect(focused()).toBe('More')
})

test('what stands side by side is also walked with the arrows to the left and right', async () => {
  const person = userEvent.setup()
  render(
    <Menu
      opened
      onChange={() => {}}
      button={(given) => (
        <button {...given} type="button">
          More
        </button>
      )}
    >
      <div>
        {['Like', 'Love', 'Laugh'].map((name) => (
          <MenuItem key={name} onClick={() => done(name)}>
            {name}
          </MenuItem>
        ))}
      </div>
      <MenuItem onClick={() => done('copy')}>Copy</MenuItem>
    </Menu>,
  )
  expect(focused()).toBe('Like')
  const walk = [
    ['{ArrowRight}', 'Love'],
    ['{ArrowRight}', 'Laugh'],
    ['{ArrowRight}', 'Like'],
    ['{ArrowLeft}', 'Laugh'],
    ['{ArrowDown}', 'Copy'],
    ['{ArrowRight}', 'Copy'],
    ['{ArrowLeft}', 'Copy'],
  ] as const
  for (const [key, name] of walk) {
    await person.keyboard(key)
    expect(focused()).toBe(name)
  }
})

test('Escape, a press elsewhere, and the button again close it without doing anything', async () => {
  const person = userEvent.setup()
  render(<Deeds />)
  const closings = [
    () => person.keyboard('{Escape}'),
    () => person.click(screen.getByText('Elsewhere')),
    () => person.click(button()),
  ]
  for (const close of closings) {
    await person.click(button())
    expect(screen.getAllByRole('menuitem')).toHaveLength(3)
    await close()
    expect(screen.queryByRole('menu')).toBeNull()
  }
  expect(done).not.toHaveBeenCalled()
})
