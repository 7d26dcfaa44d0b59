import { inboxHandlers } from './inbox/routes.ts'
import { notificationSettingsHandlers } from './settings/routes.ts'

export const notificationHandlers = { ...inboxHandlers, ...notificationSettingsHandlers }
