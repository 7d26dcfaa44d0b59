import { useMutation } from '@tanstack/react-query'
import type { Input } from '../../../contract/route.ts'
import type { complianceRoutes } from '../../../contract/routes/compliance.ts'
import { call } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'

/** Sends a message to the operator. */
export function useContact() {
  return useMutation({
    mutationFn: (body: Input<typeof complianceRoutes.contact>['body']) => call(routes.contact, { body }),
  })
}
