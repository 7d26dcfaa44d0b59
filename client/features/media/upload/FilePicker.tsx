import '@mantine/dropzone/styles.layer.css'
import { Dropzone } from '@mantine/dropzone'
import { IconPhotoPlus } from '@tabler/icons-react'
import styles from './FilePicker.module.css'
import { ACCEPT } from './files.ts'

type FilePickerProps = {
  onFiles: (files: File[]) => void
  /** The picker was closed without a file. */
  onNone: () => void
}

/** Files by drop or by the system's picker. Files of another kind are passed on too, so that the list can say why not. */
export default function FilePicker({ onFiles, onNone }: FilePickerProps) {
  return (
    <Dropzone
      onDrop={(files: File[]) => onFiles(files)}
      onFileDialogCancel={onNone}
      multiple
      classNames={{ root: styles.root ?? '', inner: styles.inner ?? '' }}
      inputProps={{ accept: ACCEPT, 'aria-label': 'Choose files' }}
      aria-label="Choose files, or drop them here"
    >
      <IconPhotoPlus size={36} stroke={1.25} aria-hidden className={styles.icon} />
      <p className={styles.title}>Choose files, or drop them here</p>
      <p className={styles.hint}>
        JPG, PNG, WebP, HEIC, AVIF, GIF, TIFF, BMP, MP4 and MOV. Whole folders and pasted pictures work too.
        They are sent at once and shown to nobody yet.
      </p>
    </Dropzone>
  )
}
