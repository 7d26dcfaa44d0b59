import type { Handlers } from '../../../handler.ts'
import { editProfile } from './actions.ts'

export const editingHandlers = {
  async editProfile({ context, viewer, body, files, now }) {
    const verified = await editProfile(context, viewer, { edit: body, files, now })
    return {
      message: 'Your profile has been updated!',
      verifiedEmail: verified ? 'verified' : 'unverified',
    }
  },
} satisfies Partial<Handlers>
