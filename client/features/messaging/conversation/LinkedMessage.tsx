import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { toast } from '../../../ui/toast.ts'
import { linkTexts as texts } from '../occasional-texts.ts'

type LinkedMessageProps = {
  recipientId: string
  messageId: string
  onFound: (found: { position: number }) => void
}

/** Goes to the message that the address names, once, and takes it out of the address. */
export default function LinkedMessage({ recipientId, messageId, onFound }: LinkedMessageProps) {
  const setParameters = useSearchParams()[1]
  const latest = useEffectEvent(() => ({ onFound, setParameters }))
  useEffect(() => {
    let left = false
    const follow = async () => {
      const found = await call(routes.messagePosition, { query: { recipientId, messageId } }).catch(
        () => null,
      )
      if (left) return
      if (found) latest().onFound(found)
      else toast.failure(texts.failed)
      const without = (before: URLSearchParams) => {
        const rest = new URLSearchParams(before)
        rest.delete('message')
        return rest
      }
      latest().setParameters(without, { replace: true, preventScrollReset: true })
    }
    void follow()
    return () => {
      left = true
    }
  }, [recipientId, messageId])
  return null
}
