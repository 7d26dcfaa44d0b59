import { useState } from 'react'
import { AddEmbed } from '../../features/media/embed/AddEmbed.tsx'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { pageTexts } from './texts.ts'

export function Component() {
  const [round, setRound] = useState(0)
  return (
    <Page
      title={pageTexts.addGif}
      lead={pageTexts.addGifLead}
      action={
        <LinkButton to={paths.manageMedia} variant="default">
          {pageTexts.manage}
        </LinkButton>
      }
    >
      <AddEmbed key={round} onAnother={() => setRound(round + 1)} />
    </Page>
  )
}
