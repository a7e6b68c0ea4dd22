import { keepAnswers } from './keepAnswers.ts'

keepAnswers('cli')
