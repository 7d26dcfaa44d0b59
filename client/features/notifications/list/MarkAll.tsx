import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/core/Button.tsx'
import { toast } from '../../../ui/toast.ts'
import { unreadNotificationsQuery, useMarkRead } from '../api.ts'
import { notificationTexts as texts } from '../texts.ts'

/** Marks everything as read, as long as anything isn’t. */
export function MarkAll() {
  const { data } = useQuery(unreadNotificationsQuery)
  const markRead = useMarkRead()
  if (!data?.unread) return null
  const markAll = () => markRead.mutate(undefined, { onError: () => toast.failure(texts.markFailed) })
  return (
    <Button variant="default" size="sm" loading={markRead.isPending} onClick={markAll}>
      {texts.markAll}
    </Button>
  )
}
