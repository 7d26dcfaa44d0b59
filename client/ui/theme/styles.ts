// The order of the layers is said by the first of them.
import './base.css'
import '@fontsource-variable/hanken-grotesk/wght.css'
import '@fontsource-variable/fraunces/wght.css'
import './tokens.css'
import './gate.css'
import './first-look.css'
