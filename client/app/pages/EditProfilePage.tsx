import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../features/identity/reauthentication/ReauthenticationDialog.tsx'
import { EditProfile } from '../../features/profiles/editing/EditProfile.tsx'
import { editingTexts as texts } from '../../features/profiles/editing/texts.ts'
import { useCurrentUser } from '../../lib/session.tsx'
import { Page } from '../../ui/Page.tsx'

/** Who one is for others (docs/product.md, Pages). */
export function Component() {
  return (
    <Page title={texts.title} lead={texts.lead} width="text">
      <ReauthenticationProvider>
        <Form />
      </ReauthenticationProvider>
    </Page>
  )
}

function Form() {
  const person = useCurrentUser()
  return <EditProfile key={person._id} person={person} prove={useReauthentication()} />
}
