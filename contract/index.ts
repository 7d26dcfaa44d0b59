import type { Route } from './route.ts'
import { accountRoutes } from './routes/account.ts'
import { commerceRoutes } from './routes/commerce.ts'
import { complianceRoutes } from './routes/compliance.ts'
import { gateRoutes } from './routes/gate.ts'
import { identityRoutes } from './routes/identity.ts'
import { mediaRoutes } from './routes/media.ts'
import { messagingRoutes } from './routes/messaging.ts'
import { operationsRoutes } from './routes/operations.ts'
import { profilesRoutes } from './routes/profiles.ts'
import { securityRoutes } from './routes/security.ts'

/** Every call of the API by its name: what server, client and tests agree on. */
export const routes = {
  ...operationsRoutes,
  ...identityRoutes,
  ...securityRoutes,
  ...complianceRoutes,
  ...gateRoutes,
  ...profilesRoutes,
  ...accountRoutes,
  ...mediaRoutes,
  ...commerceRoutes,
  ...messagingRoutes,
} as const satisfies Record<string, Route>

export type Routes = typeof routes
export type RouteName = keyof Routes
