import { useMutation } from '@tanstack/react-query'
import type { Input } from '../../../contract/route.ts'
import type { contactRoutes } from '../../../contract/routes/compliance/contact.ts'
import { call } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'

/** Sends a message to the operator. */
export function useContact() {
  return useMutation({
    mutationFn: (body: Input<typeof contactRoutes.contact>['body']) => call(routes.contact, { body }),
  })
}
