import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../lib/api.ts'
import { Fetched } from './Fetched.tsx'

afterEach(cleanup)

test.each([
  { what: 'an address of nothing', status: 400, again: 0 },
  { what: 'something that is gone', status: 404, again: 0 },
  { what: 'a server that fails', status: 500, again: 1 },
])('“Try again” stands only where it may help: $what', ({ status, again }) => {
  const error = new ApiError(status, { error: 'We couldn’t find that.', code: 'not_found' })
  const query = { data: undefined, error, refetch: () => {} }
  render(
    <MantineProvider>
      <Fetched query={query} failed="We couldn’t load this">
        {() => 'the page'}
      </Fetched>
    </MantineProvider>,
  )
  expect(screen.getByRole('alert').textContent).toContain('We couldn’t find that.')
  expect(screen.queryAllByRole('button', { name: 'Try again' })).toHaveLength(again)
})
