import { conversationHandlers } from './conversations/routes.ts'
import { customRequestHandlers } from './custom-requests/routes.ts'
import { fanListHandlers } from './fan-lists/routes.ts'
import { massMessageHandlers } from './mass-messages/routes.ts'
import { messageHandlers } from './messages/routes.ts'
import { messageReportHandlers } from './reports/routes.ts'
import { chatSettingsHandlers } from './settings/routes.ts'

export const messagingHandlers = {
  ...conversationHandlers,
  ...messageHandlers,
  ...customRequestHandlers,
  ...messageReportHandlers,
  ...chatSettingsHandlers,
  ...fanListHandlers,
  ...massMessageHandlers,
}
