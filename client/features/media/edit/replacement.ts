import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { loadPart } from '../../../lib/new-version.ts'
import { useSession } from '../../../lib/session.tsx'
import { logInOf } from '../upload/log-in.ts'
import type { Replacement } from './send-replacement.ts'

export type Replacing = {
  state: Replacement
  start: (file: File) => void
  cancel: () => void
}

/** Replaces the file of an item, of somebody else's for a reason: `/media/editfile` → PUT → `/media/makepublic`, then the item is loaded again. */
export function useReplacement(mediaId: string, why?: string): Replacing {
  const client = useQueryClient()
  const { token } = useSession()
  const [state, setState] = useState<Replacement>({ phase: 'none' })
  const running = useRef<AbortController>(null)
  const stop = useCallback(() => running.current?.abort(), [])
  useEffect(() => stop, [stop])
  const start = (file: File) => {
    stop()
    const controller = new AbortController()
    running.current = controller
    const logIn = logInOf(token)
    const signal = AbortSignal.any([controller.signal, logIn.signal])
    const report = (next: Replacement) => signal.aborted || setState(next)
    report({ phase: 'sending', file, percent: 0 })
    void loadPart(() => import('./send-replacement.ts')).then(
      ({ sendReplacement }) =>
        sendReplacement({ client, mediaId, file, why, logIn: { ...logIn, signal }, report }),
      (error: unknown) => report({ phase: 'failed', reason: errorMessage(error), again: () => start(file) }),
    )
  }
  return {
    state,
    start,
    cancel: () => {
      stop()
      setState({ phase: 'none' })
    },
  }
}
