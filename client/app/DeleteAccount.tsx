import {
  ReauthenticationProvider,
  useReauthentication,
} from '../features/identity/reauthentication/ReauthenticationDialog.tsx'
import { DeleteProfile } from '../features/profiles/privacy/DeleteProfile.tsx'
import type { Person } from '../lib/session.tsx'

/** The way out, for whoever confirms that it's them. */
export default function DeleteAccount({ person }: { person: Person }) {
  return (
    <ReauthenticationProvider>
      <Button person={person} />
    </ReauthenticationProvider>
  )
}

function Button({ person }: { person: Person }) {
  return <DeleteProfile person={person} prove={useReauthentication()} />
}
