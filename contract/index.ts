import type { Route } from './route.ts'
import { accountRoutes } from './routes/account.ts'
import { commerceRoutes } from './routes/commerce.ts'
import { complianceRoutes } from './routes/compliance.ts'
import { gateRoutes } from './routes/gate.ts'
import { identityRoutes } from './routes/identity.ts'
import { libraryRoutes } from './routes/library.ts'
import { mediaRoutes } from './routes/media.ts'
import { messagingRoutes } from './routes/messaging.ts'
import { operationsRoutes } from './routes/operations.ts'
import { profilesRoutes } from './routes/profiles.ts'
import { searchRoutes } from './routes/search.ts'
import { securityRoutes } from './routes/security.ts'
import { senatorRoutes } from './routes/senators.ts'
import { tagRoutes } from './routes/tags.ts'
import { uploadRoutes } from './routes/uploads.ts'

/** Every call of the API by its name: what server, client and tests agree on. */
export const routes = {
  ...operationsRoutes,
  ...identityRoutes,
  ...securityRoutes,
  ...complianceRoutes,
  ...gateRoutes,
  ...senatorRoutes,
  ...profilesRoutes,
  ...accountRoutes,
  ...tagRoutes,
  ...searchRoutes,
  ...uploadRoutes,
  ...libraryRoutes,
  ...mediaRoutes,
  ...commerceRoutes,
  ...messagingRoutes,
} as const satisfies Record<string, Route>

export type Routes = typeof routes
export type RouteName = keyof Routes
