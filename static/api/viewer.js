/* 9249b10b3af374789bab53533386b8e837e87bcd2a472915443be168ba9cc5d1 */
(()=>{var e=document.getElementById("viewer");SwaggerUIBundle({url:e.dataset.description,domNode:e,deepLinking:!0,validatorUrl:"none",requestInterceptor:r=>(r.headers["X-CSRFToken"]=e.dataset.csrf,r)});})();
