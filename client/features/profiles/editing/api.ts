import { useMutation } from '@tanstack/react-query'
import type { Input } from '../../../../contract/route.ts'
import type { profileRoutes } from '../../../../contract/routes/profiles/profiles.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { meKey } from '../../../lib/session.tsx'
import { carryFiles } from '../../../lib/uploads.ts'
import type { Reauthenticate } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'

type ProfileEdit = {
  body: Input<typeof profileRoutes.editProfile>['body']
  /** Other pictures, by the names that the call gives them. */
  pictures: Record<string, Blob>
  /** Told which part of the pictures is sent, 0 to 1. */
  onProgress?: (part: number) => void
}

/** Changes the own profile, a new email address after a re-authentication; what shows the person is loaded again. */
export function useEditProfile(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: ({ body, pictures, onProgress }: ProfileEdit) =>
      reauthenticate(() => call(routes.editProfile, { body }, { carry: carryFiles(pictures, onProgress) })),
    meta: { invalidates: [meKey, roots.profiles], outdates: [roots.media, roots.commerce] },
  })
}
