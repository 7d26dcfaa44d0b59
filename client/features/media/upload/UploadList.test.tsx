import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { MantineScope } from '../../../ui/theme/MantineScope.tsx'
import type { UploadQueue } from './queue.ts'
import type { Upload } from './rules.ts'
import { UploadList } from './UploadList.tsx'

afterEach(cleanup)

const upload = (key: string, changes: Partial<Upload>): Upload => ({
  ...{ key, fileName: `${key}.jpg`, bytes: 1000, mode: 'signed', phase: 'waiting', duplicate: null },
  ...{ insisted: false, interrupted: false, sentBytes: 0, arrived: false, uploadId: null, error: null },
  ...{ retryable: false, preparation: null },
  ...changes,
})

function shows(uploads: Upload[]): string[] {
  const removed: string[] = []
  const queue = { fileOf: () => undefined, remove: (key: string) => removed.push(key) }
  const list = (
    <MantineScope>
      <UploadList uploads={uploads} queue={queue as unknown as UploadQueue} finished={() => null} />
    </MantineScope>
  )
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element: list }])} />)
  return removed
}

test('it says how many files are still to be sent, whatever failed before', () => {
  shows([upload('one', {}), upload('two', { phase: 'sending' }), upload('old', { phase: 'failed' })])
  screen.getByText('2 files left to upload')
})

test('what failed for good is removed at once, and what may work again stays', async () => {
  const removed = shows([
    upload('empty', { phase: 'failed' }),
    upload('page', { phase: 'failed' }),
    upload('again', { phase: 'failed', retryable: true }),
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Remove the 2 that failed' }))
  expect(removed).toEqual(['empty', 'page'])
})
