import { ApiError } from '../../../../lib/api.ts'
import { reauthenticationTexts } from './texts.ts'

/**
 * Actions that wait until the person has confirmed that it's them: all of them go on, or none does. Where nobody listens,
 * nobody is asked, and none waits.
 */
export type Waiting = {
  /** Whether anything waits. */
  read(): boolean
  subscribe(listener: () => void): () => void
  /** Does the action, after the person confirmed when the server wants that. */
  run<T>(action: () => Promise<T>): Promise<T>
  confirmed(): void
  canceled(): void
}

export function createWaiting(): Waiting {
  let waiting: { go: () => void; stop: (error: Error) => void }[] = []
  const listeners = new Set<() => void>()
  const change = (next: typeof waiting) => {
    waiting = next
    for (const listener of listeners) listener()
  }
  const release = (act: (one: (typeof waiting)[number]) => void) => {
    const released = waiting
    change([])
    for (const one of released) act(one)
  }
  const canceled = () => {
    const error = reauthenticationTexts.canceled
    release(({ stop }) => stop(new ApiError(0, { error, code: 'reauthentication_required' })))
  }
  return {
    read: () => waiting.length > 0,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) canceled()
      }
    },
    run: async (action) => {
      try {
        return await action()
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'reauthentication_required')) throw error
      }
      await new Promise<void>((go, stop) => {
        change([...waiting, { go, stop }])
        if (listeners.size === 0) canceled()
      })
      return action()
    },
    confirmed: () => release(({ go }) => go()),
    canceled,
  }
}
