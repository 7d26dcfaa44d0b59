import { REQUIRED_TOPICS } from '../../../../contract/notifications.ts'
import { todaysZone } from '../../../../contract/time-zones.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { addSubscription, removeSubscriptions, replaceSubscription } from '../push/actions.ts'
import { countSubscriptions } from '../push/data.ts'
import { readScope } from '../rules.ts'
import { setSettings, setTopic, unsubscribe } from './actions.ts'
import { findChosen, findSettings } from './data.ts'
import { channelsOf, topicsFor } from './rules.ts'

export const notificationSettingsHandlers = {
  async notificationSettings({ context, db, viewer }) {
    const [chosen, settings, subscriptions] = await Promise.all([
      findChosen(db, viewer.id),
      findSettings(db, viewer.id),
      countSubscriptions(db, viewer),
    ])
    const { quiet_from: from = null, quiet_to: to = null } = settings ?? {}
    return {
      topics: topicsFor(viewer).map((topic) => ({
        topic,
        ...channelsOf(topic, chosen.get(topic)),
        required: REQUIRED_TOPICS.has(topic),
      })),
      quietHours: from === null || to === null ? null : { from, to },
      timeZone: settings?.time_zone ? todaysZone(settings.time_zone) : null,
      showMessageText: settings?.show_message_text ?? false,
      push: { publicKey: context.push?.publicKey ?? null, ...subscriptions },
    }
  },

  async setNotificationTopic({ db, viewer, body }) {
    await setTopic(db, viewer.id, body)
    return { success: true }
  },

  async setNotificationSettings({ db, viewer, body, now }) {
    await setSettings(db, viewer.id, body, now)
    return { success: true }
  },

  async addPush({ context, db, viewer, body, now }) {
    if (!context.push?.accepts(body.endpoint)) throw new AppError('push_unavailable')
    await addSubscription(db, context.vault, { viewer, subscription: body, now })
    return { success: true }
  },

  async replacePush({ context, db, body: { before, subscription }, now }) {
    if (!context.push?.accepts(subscription.endpoint)) throw new AppError('push_unavailable')
    await replaceSubscription(db, context.vault, { before, subscription, now })
    return { success: true }
  },

  async removePush({ db, viewer, body }) {
    await removeSubscriptions(db, viewer, body.which)
    return { success: true }
  },

  async unsubscribe({ context, db, params }) {
    const said = readScope(context.lastingSigner, params.token)
    if (!said) throw new AppError('unsubscribe_invalid')
    await unsubscribe(db, said)
    return { success: true }
  },

  async unsubscribePage({ context, params, answer }) {
    if (!readScope(context.lastingSigner, params.token)) throw new AppError('unsubscribe_invalid')
    answer.status(303)
    answer.header('location', `/unsubscribe?token=${encodeURIComponent(params.token)}`)
    return { success: true }
  },
} satisfies Partial<Handlers>
