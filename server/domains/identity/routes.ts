import { accountHandlers } from './account/routes.ts'
import { loginHandlers } from './login/routes.ts'
import { passwordHandlers } from './passwords/routes.ts'
import { reauthenticationHandlers } from './reauthentication/routes.ts'
import { roleHandlers } from './roles/routes.ts'
import { sessionHandlers } from './sessions/routes.ts'
import { suspensionHandlers } from './suspensions/routes.ts'
import { secondFactorHandlers } from './two-factor/routes.ts'

export const identityHandlers = {
  ...accountHandlers,
  ...loginHandlers,
  ...sessionHandlers,
  ...passwordHandlers,
  ...reauthenticationHandlers,
  ...secondFactorHandlers,
  ...roleHandlers,
  ...suspensionHandlers,
}
