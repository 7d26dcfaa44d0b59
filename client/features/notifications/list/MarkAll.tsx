import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/core/Button.tsx'
import { toast } from '../../../ui/toast.ts'
import { useMarkRead } from '../api.ts'
import { unreadNotificationsQuery } from '../parts/bell/unread.ts'
import { notificationTexts as texts } from '../texts.ts'

/** Marks everything as read; it keeps its place when nothing is left to mark, so that nothing moves under the finger. */
export function MarkAll() {
  const { data } = useQuery(unreadNotificationsQuery)
  const markRead = useMarkRead()
  if (!data) return null
  const markAll = () => markRead.mutate(undefined, { onError: () => toast.failure(texts.markFailed) })
  return (
    <Button
      variant="default"
      size="sm"
      loading={markRead.isPending}
      disabled={data.unread === 0}
      onClick={markAll}
    >
      {texts.markAll}
    </Button>
  )
}
