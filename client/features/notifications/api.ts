import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { MAX_NOTIFICATIONS_PER_CALL } from '../../../contract/constants.ts'
import type { Input, Output } from '../../../contract/route.ts'
import type { notificationRoutes } from '../../../contract/routes/notifications/inbox.ts'
import type { notificationSettingsRoutes } from '../../../contract/routes/notifications/settings.ts'
import { call } from '../../lib/api.ts'
import { invalidate, putData, putEvent, refetched, roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'
import { showAtOnce } from '../../lib/shown-at-once.ts'
import type { ServerEvent } from '../../lib/socket-opening.ts'
import { unreadNotificationsQuery } from './parts/bell/unread.ts'

type Unread = Output<typeof notificationRoutes.unreadNotifications>
type NotificationsPage = Output<typeof notificationRoutes.notifications>
export type Notification = NotificationsPage['items'][number]
export type NotificationSettings = Output<typeof notificationSettingsRoutes.notificationSettings>

/** The person's notifications, newest first. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: [...roots.notifications, 'list'],
  queryFn: ({ pageParam, signal }) =>
    call(routes.notifications, { query: { limit: 30, cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** The person's channels by topic. */
export const notificationSettingsQuery = queryOptions({
  queryKey: [...roots.notifications, 'settings'],
  queryFn: ({ signal }) => call(routes.notificationSettings, {}, { signal }),
})

type Pages = InfiniteData<NotificationsPage>

/** Changes what is loaded of the list. */
const changed = (list: Pages, update: (items: Notification[], page: number) => Notification[]): Pages => ({
  ...list,
  pages: list.pages.map((page, at) => ({ ...page, items: update(page.items, at) })),
})

const putUnread = (client: QueryClient, unread: Unread) =>
  putEvent(client, unreadNotificationsQuery.queryKey, () => unread)

/** Puts what the server tells into the list and the count; for the connection of this tab. */
export function notificationEvents(client: QueryClient) {
  return {
    notification: ({ notification, ...unread }: ServerEvent<'notification'>) => {
      putUnread(client, unread)
      putEvent<Pages>(client, notificationsQuery.queryKey, (list) =>
        changed(list, (items, page) =>
          page > 0 || items.some(({ _id }) => _id === notification._id) ? items : [notification, ...items],
        ),
      )
    },
    'notifications read': (unread: ServerEvent<'notifications read'>) => {
      putUnread(client, unread)
      invalidate(client, [notificationsQuery.queryKey], { running: 'kept' })
    },
  }
}

/** Events may have been missed: what is shown is asked for again. Says whether any was, as there is another newest one. */
export async function catchUpNotifications(client: QueryClient): Promise<boolean> {
  const { queryKey } = unreadNotificationsQuery
  const before = client.getQueryData(queryKey)?.newestId
  invalidate(client, [notificationsQuery.queryKey])
  await refetched(client, [queryKey])
  return before !== undefined && client.getQueryData(queryKey)?.newestId !== before
}

/** Marks notifications as read, all of them without ids; shown at once. */
export function useMarkRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (ids: string[] | undefined) => {
      const mark = (notificationIds?: string[]) =>
        call(routes.readNotifications, { body: { notificationIds } })
      // One line may stand for more than a call takes.
      const more = ids?.slice(MAX_NOTIFICATIONS_PER_CALL) ?? []
      for (let at = 0; at < more.length; at += MAX_NOTIFICATIONS_PER_CALL)
        await mark(more.slice(at, at + MAX_NOTIFICATIONS_PER_CALL))
      return mark(ids?.slice(0, MAX_NOTIFICATIONS_PER_CALL))
    },
    onMutate: (ids) =>
      putData<Pages>(client, notificationsQuery.queryKey, (list) =>
        changed(list, (items) =>
          items.map((item) => (ids === undefined || ids.includes(item._id) ? { ...item, read: true } : item)),
        ),
      ),
    meta: {
      // Events may say it sooner. Whether the answer or an event was made later can't be told.
      invalidates: [unreadNotificationsQuery.queryKey],
      onFailure: [notificationsQuery.queryKey],
    },
  })
}

type TopicChoice = Input<typeof notificationSettingsRoutes.setNotificationTopic>['body']
type SettingsChange = Input<typeof notificationSettingsRoutes.setNotificationSettings>['body']

/** A change of the settings that is shown at once, and taken back when it fails. */
function useSettingsChange<Change>(
  send: (input: Change) => Promise<unknown>,
  apply: (settings: NotificationSettings, input: Change) => NotificationSettings,
) {
  const client = useQueryClient()
  const { queryKey } = notificationSettingsQuery
  return useMutation({
    mutationKey: [...queryKey, 'change'],
    mutationFn: send,
    onMutate: async (input: Change) => {
      await client.cancelQueries({ queryKey })
      return showAtOnce<NotificationSettings>(client, queryKey, (settings) => apply(settings, input))
    },
    onSuccess: (_answer, _input, shown) => shown.keep(),
    onError: (_error, _input, shown) => shown?.takeBack(),
    meta: { invalidates: [queryKey], onFailure: [queryKey] },
  })
}

export function useSetTopic() {
  return useSettingsChange(
    (body: TopicChoice) => call(routes.setNotificationTopic, { body }),
    (settings, { topic, email, push }) => ({
      ...settings,
      topics: settings.topics.map((one) =>
        one.topic === topic ? { ...one, email: email ?? one.email, push: push ?? one.push } : one,
      ),
    }),
  )
}

export function useSetNotificationSettings() {
  return useSettingsChange(
    (body: SettingsChange) => call(routes.setNotificationSettings, { body }),
    (settings, { quietHours = settings.quietHours, quietFrom, quietTo, timeZone, showMessageText }) => ({
      ...settings,
      quietHours: quietHours && { from: quietFrom ?? quietHours.from, to: quietTo ?? quietHours.to },
      timeZone: timeZone ?? settings.timeZone,
      showMessageText: showMessageText ?? settings.showMessageText,
    }),
  )
}
