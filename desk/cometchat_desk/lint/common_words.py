"""The most common words of some languages, for the rule about everyday words without the extra `words`."""

from collections.abc import Mapping

# Each of these words occurs in nearly every conversation.
_WORDS = {
    "de": """
        aber als am an auch auf aus bei bin bis das dass dem den der des die dir doch du ein eine einen er es
        für gut hab habe hat heute hier ich ihr im in ist ja jetzt kann kein man mein mir mit nein nicht noch
        nur oder schon sehr sein sich sie sind so und uns vom von war was wenn wer wie wir zu zum
    """,
    "en": """
        a about after all also am an and any are as at back be because been but by can come could day did do
        does even first for from get give go good had has have he hello her here him his how i if in into is it
        its just know like look make me more most my new no not now of off ok on one only or other our out over
        people said say see she so some than thanks that the their them then there these they think this time to
        today two up us use very want was way we well were what when where which who why will with work would
        year yes you your
    """,
    "es": """
        al aquí bien bueno como con cuando de del dos el ella en eres es esta este estoy gracias ha hace hay
        hola hoy la las le lo los me mi muy más nada ni no nos para pero por porque que qué se ser si sin sobre
        soy su sí te tengo tiene todo tu un una y ya yo
    """,
    "fr": """
        ai au aussi avec bien bonjour ce cette comme dans de des dit du elle en est et fait il ils je la le les
        leur lui ma mais me merci moi mon même ne non nous on ou oui où par pas plus pour quand que qui sa se si
        son sont sur ta te toi ton tout tu un une va vous y à ça être
    """,
    "it": """
        al anche bene c'è che chi ci ciao come con cosa da dei del della di due e ed fa gli grazie ha ho i il in
        io la le lei lo loro lui ma mi mia mio nel no noi non o ogni per perché più poi quando quello questo qui
        se sei si sia solo sono su sì te ti tu tutto un una è
    """,
    "nl": """
        aan als bij dat de dit doe een en er geen goed had heb heeft het hier hij hoe ik in is ja je kan maar me
        meer met mijn moet naar nee niet nog nu of om ook op te toch tot uit van veel voor wat we wel wie wij
        zal ze zijn zo
    """,
    "pl": """
        ale bardzo bo by być był ci co czy dla do dobrze dziś go i ich ja jak jest jestem już każdy kiedy kto ma
        mam mi mnie może na nic nie niż o od on ona po pod przez się są ta tak tam ten to tu tutaj ty tylko w we
        z za że
    """,
    "pt": """
        a agora ao aqui as bem bom com como da das de do dos e ela ele em era essa esse está eu foi hoje isso já
        mais mas me meu minha muito na nas no nos não o obrigado olá os ou para pela pelo por porque quando que
        quem se sem ser seu sim sua são também te tem tudo um uma você
    """,
    "tr": """
        ama ben bir biz bu bugün da daha de değil diye en evet gibi hayır hem her iyi için ile kadar ki mi ne
        neden o olarak onu sen siz sonra tamam var ve veya ya yok çok şey şimdi
    """,  # noqa: RUF001 - Turkish has a letter i without a dot
}
#: The words by the code of their language, with their case folded.
COMMON_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.casefold().split()) for language, words in _WORDS.items()
}
