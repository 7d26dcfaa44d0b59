import { useState } from 'react'
import { AddEmbed } from '../../features/media/embed/AddEmbed.tsx'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  const [round, setRound] = useState(0)
  return (
    <Page
      title="Add an external gif"
      lead="A gif that stays on RedGifs and is shown from there."
      action={
        <LinkButton to={paths.manageMedia} variant="default">
          Manage media
        </LinkButton>
      }
    >
      <AddEmbed key={round} onAnother={() => setRound(round + 1)} />
    </Page>
  )
}
